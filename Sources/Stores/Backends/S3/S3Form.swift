internal import Basics
internal import FileStores
internal import XML

struct S3Form: StoreForm {
  let title = "S3"
  let about =
    "A bucket at Amazon, or at a server of its protocol. The bucket must exist. byteclub asks for the secret key "
    + "afterwards."
  let fields = [
    StoreFormField("endpoint", "Server", example: "https://s3.example.org; empty for Amazon", isAddress: true),
    StoreFormField("bucket", "Bucket", example: "our-club", .required),
    StoreFormField("region", "Region", example: "us-east-1"),
    StoreFormField("prefix", "Folder in the bucket", example: "club/"),
    StoreFormField("accessKeyID", "Key id", example: "AKIAIOSFODNN7EXAMPLE", isPersonal: true),
    StoreFormField("style", "Bucket in addresses", example: "path or host", .rare), .pin,
  ]

  func completed(_ store: StoreDescription) -> StoreDescription {
    var store = store
    store.options["endpoint"] = store.options["endpoint"].flatMap { $0.isEmpty ? nil : TypedAddress.completed($0) }
    let parts = store.options["prefix"].map { PathText.parts($0) } ?? []
    store.options["prefix"] = parts.isEmpty ? nil : parts.joined(separator: "/") + "/"
    return store
  }

  func folderName(of store: StoreDescription) -> String {
    let folder = PathText.name((store.options["prefix"] ?? "").dropLast())
    return folder.isEmpty ? store.options["bucket"] ?? "" : folder
  }

  func look(
    at store: StoreDescription, _ transport: any HTTPTransport
  ) async throws(StoreError) -> [StoreFormFinding] {
    let place = try S3Place(store)
    let url = place.origin.description + place.requestPath(nil) + "?list-type=2&max-keys=0"
    let (response, body) = try await transport.call(HTTPRequest(.get, url), limit: 1 << 20)
    let code = S3Fault.code(body)
    var found: [StoreFormFinding] = []
    if store.options["accessKeyID"] == nil {
      found.append(
        StoreFormFinding(
          "Without a key id, byteclub takes the keys of the environment or of ~/.aws.", about: "accessKeyID")
      )
    }
    if let region = response.headers["x-amz-bucket-region"], region != place.region {
      return found + [
        StoreFormFinding("The bucket is in the region \(region.asServersWords).", about: "region", isError: true)
      ]
    }
    switch (response.status, code) {
    case (_, "NoSuchBucket"):
      found.append(
        StoreFormFinding("\(place.name) has no bucket \"\(place.bucket)\".", about: "bucket", isError: true))
    case (200, _) where (try? XMLNodes.read(body))?.name.local == "ListBucketResult":
      found.append(StoreFormFinding("\(place.name) shows this bucket to everybody, without keys.", about: "bucket"))
    case (401, _), (403, _): found.append(StoreFormFinding("\(place.name) answers, and asks for your keys."))
    case (429, _), (500...510, _), (512...599, _): found.append(.busy(place.name, response))
    default: found.append(.other(place.name, "an S3 server", response))
    }
    return found
  }

  func friends(_ store: StoreDescription) -> (store: StoreDescription, sentence: String) {
    (store, "Your friend needs keys of their own for the bucket, which its owner makes.")
  }
}
