// FileStores
