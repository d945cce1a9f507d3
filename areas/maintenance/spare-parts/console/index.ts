import { detail, list, orDetail } from '../../../../console/kernel/plainScreens.ts'
import type { Screens } from '../../../../console/shell/screens.ts'
import { mtnComponent, mtnComponentCompo, mtnComponentRecord, mtnComponentStock, mtnStockDifference } from '../contract.ts'

const states = { Status: { 0: 'offline', 2: 'offline' } } as const
const movements = list(
  mtnComponentRecord,
  ['Time', 'ComponentId', 'RecordType', 'PlaceId', 'OtherPlaceId', 'Qty', 'AfterQty', 'Price', 'OrderId', 'UserId', 'Remark'],
  {
    filters: ['ComponentId', 'PlaceId', 'RecordType', 'Time', 'UserId'],
    readOnly: true,
    links: { ComponentId: ({ ComponentId }) => `/maintenanceCenter/parts/archives?Id=${ComponentId}` },
    looks: async () => (await import('./partLooks.tsx')).movementLooks,
    see: ['m10607'],
  },
)
const differences = list(
  mtnStockDifference,
  ['Time', 'ComponentId', 'PlaceId', 'Qty', 'StockQty', 'Status', 'OrderId', 'UserId', 'SettleUserId', 'Remark'],
  {
    filters: ['Status', 'ComponentId', 'PlaceId'],
    states: { Status: { 0: 'warning', 2: 'offline' } },
    links: { ComponentId: ({ ComponentId }) => `/maintenanceCenter/parts/archives?Id=${ComponentId}` },
    looks: async () => (await import('./partLooks.tsx')).differenceLooks,
    see: ['m10607', 'm10608'],
  },
)
const archive = list(mtnComponent, ['ComponentName', 'ComponentNo', 'StockQty', 'Category', 'Spec', 'SupplierName', 'Price', 'Status'], {
  filters: ['Status', 'IsLow', 'Category'],
  states,
  link: ({ Id }) => `/maintenanceCenter/parts/archives?Id=${Id}`,
  looks: async () => (await import('./partLooks.tsx')).partLooks,
  actions: { 'part.label': { icon: 'label', dialog: () => import('./PartLabel.tsx') } },
  buttons: {
    'part.stocktake': { icon: 'list', needs: 'm10607.stocktake', dialog: () => import('./Stocktake.tsx') },
    'part.proposals': { icon: 'push', needs: 'm10607', dialog: () => import('./Proposals.tsx') },
    'part.compo': { icon: 'below', needs: 'm10607', dialog: () => import('./Composition.tsx') },
    'part.labels': { icon: 'label', needs: 'm10607', small: true, dialog: () => import('./PartLabels.tsx') },
  },
  see: ['m10608', 'm10614'],
})
const part = detail(mtnComponent, {
  states,
  sections: {
    'part.section.part': ['ComponentNo', 'Category', 'Spec', 'Brand', 'LifeHours', 'Picture', 'Remark'],
    'section.stock': ['StockQty', 'MinQty', 'MaxQty', 'Price', 'SupplierName', 'LeadDays'],
  },
  tabs: {
    'part.tab.movements': movements,
    'part.tab.stock': list(mtnComponentStock, ['PlaceId', 'ComponentId', 'Qty'], { readOnly: true }),
    'part.tab.inside': list(mtnComponentCompo, ['ComponentId', 'Qty', 'DeviceModelId'], { readOnly: true }),
  },
  looks: async () => (await import('./partLooks.tsx')).pageLooks,
})

export const screens: Screens = {
  '/maintenanceCenter/parts/archives': orDetail(archive, part),
  '/maintenanceCenter/parts/record': movements,
  '/maintenanceCenter/parts/differences': differences,
  '/maintenanceCenter/components': () => import('./ToArchive.tsx'),
}
