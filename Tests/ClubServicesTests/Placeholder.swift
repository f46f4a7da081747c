// ClubServices
