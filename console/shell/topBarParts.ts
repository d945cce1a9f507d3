import type { ComponentType } from 'react'

/** What areas show in the top bar: the count of active alarms, and the bell. The console's root fills it in before the shell is drawn. */
export const topBarParts: { AlarmBadge?: ComponentType; NoticeBell?: ComponentType } = {}
