//! The small runtime archive that compiled objects link
