/// Triggers that keep counters and derived columns, and note work that takes longer than a transaction may.
///
/// A trigger in the schema would be parsed each time a library is opened, and costs a reader as much as five tables.
/// So each connection that writes creates temporary ones.
enum Triggers {
  static let script = """
    PRAGMA temp_store = MEMORY;

    CREATE TEMP TRIGGER podcasts_added AFTER INSERT ON main.podcasts BEGIN
      INSERT INTO counters (podcast_id) VALUES (new.id);
      INSERT INTO feeds (podcast_id) VALUES (new.id);
    END;
    CREATE TEMP TRIGGER podcasts_followed AFTER UPDATE OF is_subscribed ON main.podcasts
      WHEN old.is_subscribed <> new.is_subscribed BEGIN
      INSERT INTO left_work (podcast_id, kind) VALUES (new.id, 'listing') ON CONFLICT (podcast_id) DO NOTHING;
    END;

    -- Before, because its media record is deleted with it.
    CREATE TEMP TRIGGER episodes_removed BEFORE DELETE ON main.episodes BEGIN
      UPDATE counters SET episodes = episodes - 1, unplayed = unplayed - 1 + old.is_played, downloaded = downloaded
        - EXISTS (SELECT 1 FROM media WHERE episode_id = old.id AND state = 'complete')
        WHERE podcast_id = old.podcast_id;
    END;
    CREATE TEMP TRIGGER episodes_played AFTER UPDATE OF is_played ON main.episodes
      WHEN old.is_played <> new.is_played BEGIN
      UPDATE counters SET unplayed = unplayed + old.is_played - new.is_played WHERE podcast_id = new.podcast_id;
    END;
    CREATE TEMP TRIGGER episodes_dated AFTER UPDATE OF published_at ON main.episodes
      WHEN old.published_at IS NOT new.published_at BEGIN
      -- By the index: the maximum would read every episode for each one that changes.
      UPDATE counters SET newest_at = (SELECT published_at FROM episodes INDEXED BY episodes_of_podcast
        WHERE podcast_id = new.podcast_id AND published_at IS NOT NULL ORDER BY listed_at DESC LIMIT 1)
        WHERE podcast_id = new.podcast_id;
    END;

    CREATE TEMP TRIGGER statuses_added AFTER INSERT ON main.statuses BEGIN
      UPDATE episodes SET is_played = new.has_completed, is_new = 0 WHERE id = new.episode_id;
    END;
    CREATE TEMP TRIGGER statuses_changed AFTER UPDATE OF has_completed ON main.statuses
      WHEN old.has_completed <> new.has_completed BEGIN
      UPDATE episodes SET is_played = new.has_completed, is_new = 0 WHERE id = new.episode_id;
    END;
    -- Playing begins with it. A position, which is written each second, is not looked at.
    CREATE TEMP TRIGGER statuses_begun AFTER UPDATE OF is_currently_playing ON main.statuses
      WHEN old.is_currently_playing < new.is_currently_playing BEGIN
      UPDATE episodes SET is_new = 0 WHERE id = new.episode_id AND is_new = 1;
    END;

    \(changes)

    CREATE TEMP TRIGGER media_added AFTER INSERT ON main.media WHEN new.state = 'complete' BEGIN
      UPDATE counters SET downloaded = downloaded + 1
        WHERE podcast_id = (SELECT podcast_id FROM episodes WHERE id = new.episode_id);
    END;
    CREATE TEMP TRIGGER media_changed AFTER UPDATE OF state ON main.media WHEN old.state <> new.state BEGIN
      UPDATE counters SET downloaded = downloaded + (new.state = 'complete') - (old.state = 'complete')
        WHERE podcast_id = (SELECT podcast_id FROM episodes WHERE id = new.episode_id);
    END;
    CREATE TEMP TRIGGER media_removed AFTER DELETE ON main.media WHEN old.state = 'complete' BEGIN
      UPDATE counters SET downloaded = downloaded - 1
        WHERE podcast_id = (SELECT podcast_id FROM episodes WHERE id = old.episode_id);
    END;
    """

  /// Note that there may be something for other machines. Mostly that is noted already, and nothing is written.
  private static let changes = [
    "INSERT ON main.podcasts", "UPDATE OF feed_url, is_subscribed, own_title, is_private ON main.podcasts",
    "DELETE ON main.podcasts", "INSERT ON main.statuses",
    "UPDATE OF last_listen_time, has_completed, is_favourite ON main.statuses", "INSERT ON main.queue",
    "DELETE ON main.queue", "INSERT ON main.bookmarks", "UPDATE ON main.bookmarks", "DELETE ON main.bookmarks",
    "INSERT ON main.tags", "DELETE ON main.tags", "INSERT ON main.settings", "UPDATE ON main.settings",
    "DELETE ON main.settings",
  ].enumerated().map { number, change in
    """
    CREATE TEMP TRIGGER change_\(number) AFTER \(change) BEGIN
      UPDATE sync_state SET value = '1' WHERE key = 'changed' AND value = '0';
    END;
    """
  }.joined(separator: "\n")
}
