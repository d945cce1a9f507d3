import { list, orDetail } from '../../../../console/kernel/plainScreens.ts'
import type { Screens } from '../../../../console/shell/screens.ts'
import { selfParse } from '../contract.ts'

const descriptions = list(selfParse, ['CustomName', 'Remark'], {
  link: ({ Id }) => `/protocolManagement/selfParse?Id=${Id}`,
  create: () => import('./CreateDialog.tsx'),
  // The page of a description edits these, next to the result for an answer.
  refine: () => ({ hidden: ['Frame', 'Requests', 'Sample'] }),
})

export const screens: Screens = {
  '/protocolManagement/selfParse': orDetail(descriptions, () => import('./CustomPage.tsx')),
}
