/**
 * Resources whose list may be taken along as `<path>/Output`. Named one by one: a resource with a visibility of its own beside
 * the kernel's must not leave by this door. Points leave as the sheet of 27 columns that import takes.
 */
export const exportedResources: readonly string[] = [
  'organ',
  'project',
  'gateway',
  'netProtocol',
  'serialProtocol',
  'device',
  'alarmInfo',
  'log',
]
