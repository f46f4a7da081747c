import Basics
import Testing

/// Values of http://www.isthe.com/chongo/src/fnv/test_fnv.c.
@Test(
  arguments: [
    ("", 0xcbf2_9ce4_8422_2325), ("a", 0xaf63_dc4c_8601_ec8c), ("foobar", 0x8594_4171_f739_67e8),
  ] as [(String, UInt64)])
func `the hash of a text is that of its authors`(_ row: (text: String, hash: UInt64)) {
  var hash = FNV1a()
  hash.add(row.text.utf8)
  #expect(hash.value == row.hash)
}
