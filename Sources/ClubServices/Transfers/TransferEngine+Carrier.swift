public import Transfers

/// The engine carries out transfers while this process owns them.
extension TransferEngine: TransferCarrier {}
