/// The hash FNV-1a with 64 bits, for checksums and for numbers from a seed; not against an attacker.
public struct FNV1a: Sendable {
  public var value: UInt64

  @inlinable
  public init() { value = 0xCBF2_9CE4_8422_2325 }

  /// Adds a byte, or a word of any width, as one step.
  @inlinable
  public mutating func add(_ word: UInt64) { value = (value ^ word) &* 0x100_0000_01B3 }

  @inlinable
  public mutating func add(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { add(UInt64(byte)) }
  }
}
