// Transfers
