import { lazyScreen } from '../../../../console/shell/lazyScreen.tsx'
import type { Screens } from '../../../../console/shell/screens.ts'

type Input = { id?: string; value?: string; onChange?: (html: string) => void; label: string }
/** Rich text in other areas' forms and pages. */
export const RichInput = lazyScreen<Input>(async () => ({ default: (await import('./RichInput.tsx')).RichInput }), null)
export const RichText = lazyScreen<{ html: string }>(async () => ({ default: (await import('./RichText.tsx')).RichText }), null)

export const screens: Screens = {
  '/systemManagement/layout/NoticeList': () => import('./NoticeList.tsx'),
  '/systemManagement/notice': () => import('./Announcements.tsx'),
}
