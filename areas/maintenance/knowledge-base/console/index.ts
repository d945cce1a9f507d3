import { detail, list, orDetail } from '../../../../console/kernel/plainScreens.ts'
import type { Screens } from '../../../../console/shell/screens.ts'
import { mtnKnowledgeBase } from '../contract.ts'

export { ArticleOfPlan } from './ArticleOfPlan.tsx'
export { DraftOfOrder } from './DraftOfOrder.tsx'
export { OfferedArticles } from './OfferedArticles.tsx'

const states = { Status: { 0: 'offline' } } as const
const page = '/maintenanceCenter/knowledgeBase'

export const screens: Screens = {
  [page]: orDetail(
    list(
      mtnKnowledgeBase,
      ['Title', 'Status', 'FaultCodeId', 'DeviceModelId', 'Category', 'Keywords', 'Helped', 'Version', 'PublishTime'],
      {
        filters: ['Status', 'DeviceModelId', 'FaultCodeId', 'Category'],
        states,
        link: ({ Id }) => `${page}?Id=${Id}`,
        looks: async () => (await import('./articleLooks.tsx')).articleLooks,
      },
    ),
    detail(mtnKnowledgeBase, {
      states,
      facts: [
        'FaultCodeId',
        'DeviceModelId',
        'DeviceId',
        'EquipmentId',
        'Category',
        'Keywords',
        'Version',
        'PublishTime',
        'OrderId',
        'Helped',
        'NotHelped',
        'Files',
      ],
      tabs: {
        'article.tab.text': () => import('./ArticleTab.tsx'),
        'checklist.title': () => import('./ChecklistTab.tsx'),
        'article.tab.versions': () => import('./Versions.tsx'),
      },
    }),
  ),
}
