"""Calls that few programs make, with Dropbox's SDK: the older batches, jobs, copy references, links to folders, and what a
club does not have.

Arguments: an access token, and the file of the certificates to trust. The SDK takes the hosts from the environment.
"""

import sys
import warnings

import dropbox
from dropbox.exceptions import ApiError
from dropbox.files import LockFileArg, RelocationPath, SharedLink
from dropbox.sharing import FolderLinkMetadata

warnings.simplefilter("ignore")


def main():
    token, certificates = sys.argv[1:3]
    club = dropbox.Dropbox(oauth2_access_token=token, ca_certs=certificates)
    for path in ["/calls/f/a.md", "/calls/f/b a.md"]:
        club.files_upload(path.encode(), path)
    batches(club)
    references(club)
    folder_links(club)
    absent(club)
    # The batch has copied the folder.
    found = [match.metadata.get_metadata().path_display for match in club.files_search_v2('"b a"').matches]
    assert sorted(found) == ["/calls/f/b a.md", "/calls/g/b a.md"], found
    assert club.files_alpha_get_metadata("/calls/f/a.md").name == "a.md"
    club.files_delete_v2("/calls")


def batches(club):
    def pairs(*paths):
        return [RelocationPath("/calls/" + source, "/calls/" + target) for source, target in paths]

    job = club.files_copy_batch(pairs(("f/a.md", "c.md"), ("f", "g"))).get_async_job_id()
    copied = club.files_copy_batch_check(job).get_complete().entries
    assert [entry.metadata.path_display for entry in copied] == ["/calls/c.md", "/calls/g"], copied
    job = club.files_move_batch(pairs(("c.md", "d.md"), ("none", "e.md"))).get_async_job_id()
    failed = club.files_move_batch_check(job).get_failed()
    assert failed.is_from_lookup() and failed.get_from_lookup().is_not_found(), failed
    assert club.files_get_metadata("/calls/c.md").name == "c.md"
    job = club.files_move_batch(pairs(("c.md", "d.md"))).get_async_job_id()
    assert club.files_move_batch_check(job).is_complete()
    job = club.files_create_folder_batch(["/calls/new", "/calls/d.md"], force_async=True).get_async_job_id()
    made = club.files_create_folder_batch_check(job).get_complete().entries
    assert [entry.is_success() for entry in made] == [True, False], made
    assert made[1].get_failure().get_path().is_conflict(), made


def references(club):
    told = club.files_copy_reference_get("/calls/f/a.md")
    assert told.metadata.name == "a.md" and told.expires.year > 2000, told
    saved = club.files_copy_reference_save(told.copy_reference, "/calls/saved.md").metadata
    assert saved.content_hash == told.metadata.content_hash, saved
    refused(lambda: club.files_copy_reference_save("none", "/calls/x"), lambda error: error.is_invalid_copy_reference())


def folder_links(club):
    link = club.sharing_create_shared_link_with_settings("/calls/f")
    assert isinstance(link, FolderLinkMetadata) and link.name == "f", link
    assert club.sharing_get_shared_link_metadata(link.url, path="/b a.md").name == "b a.md"
    metadata, response = club.sharing_get_shared_link_file(link.url, path="/a.md")
    assert metadata.name == "a.md" and response.content == b"/calls/f/a.md", metadata
    listed = club.files_list_folder("", shared_link=SharedLink(url=link.url)).entries
    assert [entry.name for entry in listed] == ["a.md", "b a.md"], listed
    above = club.sharing_list_shared_links(path="/calls/f/a.md").links
    assert [each.url for each in above] == [link.url], above
    club.sharing_revoke_shared_link(link.url)


def absent(club):
    assert club.sharing_list_folders().entries == [] and club.sharing_list_received_files().entries == []
    assert club.file_requests_list_v2().file_requests == [] and club.file_requests_count().file_request_count == 0
    assert club.file_requests_delete_all_closed().file_requests == []
    refused(lambda: club.file_requests_create("Photos", "/calls/f"), lambda error: error.is_disabled_for_team())
    refused(
        lambda: club.sharing_share_folder("/calls/f"),
        lambda error: error.is_bad_path() and error.get_bad_path().is_inside_shared_folder())
    refused(
        lambda: club.files_permanently_delete("/calls/f"),
        lambda error: error.is_path_write() and error.get_path_write().is_no_write_permission())
    file = [LockFileArg("/calls/f/a.md")]
    assert club.files_get_file_lock_batch(file).entries[0].get_success().lock.content.is_unlocked()
    assert club.files_lock_file_batch(file).entries[0].get_failure().is_cannot_be_locked()


def refused(call, is_so):
    try:
        answer = call()
    except ApiError as error:
        assert is_so(error.error), error
    else:
        raise AssertionError(answer)


main()
