/// The C library of the system. All rooms import this module, so that only this file names the library.
///
/// Calls that differ between systems, or that a C library hides from Swift, are in `CPlatform`.
#if canImport(Glibc)
  @_exported public import Glibc
#elseif canImport(Musl)
  // Programs that are linked statically, by the Swift SDK for Linux.
  @_exported public import Musl
#elseif canImport(Darwin)
  // No system of Apple has built this yet.
  @_exported public import Darwin
#endif
