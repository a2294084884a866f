#!/usr/bin/env bash
# Sets up, builds, and runs every check: the lit tests, the unit tests, and the
# checks of the tree itself. The last line is `N passed, M failed, K skipped`
# over all of them; a build that fails is one failure. Arguments go to lit, for
# example `utils/check.sh --filter=Import`.
#
# Environment: that of setup.sh, and PTXBENCH_JOBS (default: all cores).
# Exit status: 0 all passed; 1 something failed, or nothing ran.
set -euo pipefail
# shellcheck source=utils/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

# stop TEXT: nothing could be tested, and that is the failure.
stop() {
  complain "$1"
  echo "0 passed, 1 failed, 0 skipped"
  exit 1
}

"$PTXBENCH_SOURCE_DIR/utils/setup.sh" || stop "the set-up failed"
use_toolkit
configure_and_build || stop "the build failed"

exec python3 "$PTXBENCH_SOURCE_DIR/utils/lib/run_checks.py" \
  --source "$PTXBENCH_SOURCE_DIR" --build "$PTXBENCH_BUILD_DIR" \
  --jobs "${PTXBENCH_JOBS:-$(nproc)}" -- "$@"
