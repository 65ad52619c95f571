'use strict';
/** Whether a version such as `24.1.0` satisfies a range of the form `>=22.19`. */
function isRecentEnough(version, range) {
  const have = version.split('.').map(Number);
  const need = range.replace(/^\D*/, '').split('.').map(Number);
  for (let i = 0; i < need.length; i++) {
    if ((have[i] ?? 0) !== need[i]) return (have[i] ?? 0) > need[i];
  }
  return true;
}

exports.isRecentEnough = isRecentEnough;
