import type { ComponentType } from 'react'

/** Parts of the top bar, and the line above the footer, that areas provide. `main/screens.ts` registers them before the shell renders. */
export const topBarParts: { AlarmBadge?: ComponentType; NoticeBell?: ComponentType; AlarmWarning?: ComponentType } = {}
