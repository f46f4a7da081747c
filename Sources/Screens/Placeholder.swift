// Screens
