// Parts of screens that repairs, upkeep and patrols share.
import { lazyScreen } from '../../../../console/shell/lazyScreen.tsx'

export const Checklist = lazyScreen(async () => ({ default: (await import('./Checklist.tsx')).Checklist }), null)
