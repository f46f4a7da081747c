internal import FileStores

extension FolderDisk {
  /// True on file systems where other machines write unseen: NFS, SMB/CIFS, 9p, AFS, Ceph, Coda, and what FUSE
  /// mounts (sshfs among them). The numbers are the kernel's `linux/magic.h`.
  var isOnNetwork: Bool {
    [
      0x6969, 0x517B, 0xFF53_4D42, 0xFE53_4D42, 0x0102_1997, 0x5346_414F, 0x00C3_6400, 0x7375_7245, 0x6573_5546,
    ].contains(fileSystem)
  }
}
