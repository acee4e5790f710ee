#pragma once

/// The commit that a release build was made from; empty in other builds.
const char *podcli_commit(void);
