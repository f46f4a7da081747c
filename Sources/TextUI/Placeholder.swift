// TextUI
