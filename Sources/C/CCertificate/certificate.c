#include "CCertificate.h"

#include <limits.h>
#include <openssl/bio.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <string.h>
#include <time.h>

// Instead of OpenSSL's own, which asks at the terminal.
static int no_passphrase(char *buffer, int size, int writing, void *user) {
  (void)buffer, (void)size, (void)writing, (void)user;
  return -1;
}

static BIO *text(const uint8_t *bytes, size_t count) {
  return count > INT_MAX ? NULL : BIO_new_mem_buf(bytes, (int)count);
}

static EVP_PKEY *read_key(const uint8_t *bytes, size_t count) {
  BIO *bio = text(bytes, count);
  EVP_PKEY *key = bio == NULL ? NULL : PEM_read_bio_PrivateKey(bio, NULL, no_passphrase, NULL);
  BIO_free(bio);
  // A flipped bit can leave a text that is a key, with a public half that is not its own.
  EVP_PKEY_CTX *check = key == NULL ? NULL : EVP_PKEY_CTX_new(key, NULL);
  if (key != NULL && (check == NULL || EVP_PKEY_check(check) != 1)) {
    EVP_PKEY_free(key);
    key = NULL;
  }
  EVP_PKEY_CTX_free(check);
  ERR_clear_error();
  return key;
}

static X509 *read_certificate(const uint8_t *bytes, size_t count) {
  BIO *bio = text(bytes, count);
  X509 *certificate = bio == NULL ? NULL : PEM_read_bio_X509(bio, NULL, no_passphrase, NULL);
  BIO_free(bio);
  ERR_clear_error();
  return certificate;
}

// The text of a BIO in memory, which is freed.
static size_t take(BIO *bio, int is_good, uint8_t *bytes, size_t room) {
  char *data = NULL;
  long count = is_good && bio != NULL ? BIO_get_mem_data(bio, &data) : 0;
  size_t taken = count > 0 && (size_t)count <= room ? (size_t)count : 0;
  if (taken > 0) memcpy(bytes, data, taken);
  BIO_free(bio);
  ERR_clear_error();
  return taken;
}

size_t ct_new_key(uint8_t *bytes, size_t room) {
  EVP_PKEY *key = EVP_EC_gen("P-256");
  // The secure heap's BIO clears its memory when it is freed.
  BIO *bio = BIO_new(BIO_s_secmem());
  int is_good =
      key != NULL && bio != NULL && PEM_write_bio_PKCS8PrivateKey(bio, key, NULL, NULL, 0, NULL, NULL) == 1;
  EVP_PKEY_free(key);
  return take(bio, is_good, bytes, room);
}

size_t ct_public_key(const uint8_t *key_bytes, size_t key_count, uint8_t *bytes, size_t room) {
  EVP_PKEY *key = read_key(key_bytes, key_count);
  BIO *bio = BIO_new(BIO_s_mem());
  int is_good = key != NULL && bio != NULL && i2d_PUBKEY_bio(bio, key) == 1;
  EVP_PKEY_free(key);
  return take(bio, is_good, bytes, room);
}

static int add(X509 *certificate, int kind, const char *value) {
  X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, NULL, kind, value);
  int is_good = extension != NULL && X509_add_ext(certificate, extension, -1) == 1;
  X509_EXTENSION_free(extension);
  return is_good;
}

// 126 random bits, never zero: RFC 5280 wants a positive number of at most 20 bytes.
static int set_serial(X509 *certificate) {
  uint8_t bytes[16];
  if (RAND_bytes(bytes, sizeof bytes) != 1) return 0;
  bytes[0] = (uint8_t)((bytes[0] & 0x3F) | 0x40);
  BIGNUM *number = BN_bin2bn(bytes, sizeof bytes, NULL);
  int is_good = number != NULL && BN_to_ASN1_INTEGER(number, X509_get_serialNumber(certificate)) != NULL;
  BN_free(number);
  return is_good;
}

static int fill(X509 *certificate, EVP_PKEY *key, const char *names, int64_t from, int64_t until) {
  X509_NAME *name = X509_get_subject_name(certificate);
  return X509_set_version(certificate, X509_VERSION_3) == 1 && set_serial(certificate)
      && ASN1_TIME_set(X509_getm_notBefore(certificate), (time_t)from) != NULL
      && ASN1_TIME_set(X509_getm_notAfter(certificate), (time_t)until) != NULL
      && X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, (const unsigned char *)"byteclub", -1, -1, 0) == 1
      && X509_set_issuer_name(certificate, name) == 1 && X509_set_pubkey(certificate, key) == 1
      && add(certificate, NID_basic_constraints, "critical,CA:FALSE")
      && add(certificate, NID_key_usage, "critical,digitalSignature") && add(certificate, NID_ext_key_usage, "serverAuth")
      && add(certificate, NID_subject_alt_name, names) && X509_sign(certificate, key, EVP_sha256()) > 0;
}

size_t ct_new_certificate(
    const uint8_t *key_bytes, size_t key_count, const char *names, int64_t from, int64_t until, uint8_t *bytes,
    size_t room) {
  EVP_PKEY *key = read_key(key_bytes, key_count);
  X509 *certificate = X509_new();
  BIO *bio = BIO_new(BIO_s_mem());
  int is_good = key != NULL && certificate != NULL && bio != NULL && fill(certificate, key, names, from, until)
      && PEM_write_bio_X509(bio, certificate) == 1;
  X509_free(certificate);
  EVP_PKEY_free(key);
  return take(bio, is_good, bytes, room);
}

static int has_names(const X509 *certificate, const char *names) {
  int place = X509_get_ext_by_NID(certificate, NID_subject_alt_name, -1);
  X509_EXTENSION *wanted = X509V3_EXT_conf_nid(NULL, NULL, NID_subject_alt_name, names);
  int is_same = place >= 0 && wanted != NULL
      && ASN1_OCTET_STRING_cmp(
             X509_EXTENSION_get_data(X509_get_ext(certificate, place)), X509_EXTENSION_get_data(wanted))
          == 0;
  X509_EXTENSION_free(wanted);
  return is_same;
}

int ct_is_certificate(
    const uint8_t *certificate_bytes, size_t certificate_count, const uint8_t *key_bytes, size_t key_count,
    const char *names, int64_t until) {
  EVP_PKEY *key = read_key(key_bytes, key_count);
  X509 *certificate = read_certificate(certificate_bytes, certificate_count);
  time_t end = (time_t)until;
  int is_good = key != NULL && certificate != NULL && X509_check_private_key(certificate, key) == 1
      && has_names(certificate, names) && X509_cmp_time(X509_get0_notAfter(certificate), &end) > 0;
  X509_free(certificate);
  EVP_PKEY_free(key);
  ERR_clear_error();
  return is_good;
}
