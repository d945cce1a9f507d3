import { detail, list, orDetail } from '../../../../console/kernel/plainScreens.ts'
import type { Screens } from '../../../../console/shell/screens.ts'
import { drugDelivery, drugInfo } from '../contract.ts'

const path = '/drugManagement/drugRecord'
const states = { Status: { 0: 'warning', 2: 'offline' } } as const
const deliveries = list(
  drugDelivery,
  ['DeliverTime', 'DrugInfoId', 'BatchNo', 'Qty', 'Concentration', 'Price', 'SupplierName', 'Status', 'Files'],
  {
    filters: ['DrugInfoId', 'Status', 'DeliverTime'],
    states,
    links: { DrugInfoId: ({ DrugInfoId }) => `${path}?Id=${DrugInfoId}` },
    see: ['m10722'],
  },
)
const looks = () => import('./chemicalLooks.tsx')
const chemicals = list(
  drugInfo,
  ['DrugName', 'DrugCode', 'DrugType', 'Source', 'StockQty', 'Unit', 'TargetDose', 'Supplier', 'ProjectId'],
  {
    filters: ['ProjectId', 'DrugType'],
    link: ({ Id }) => `${path}?Id=${Id}`,
    form: () => import('./ChemicalForm.tsx'),
    looks: async () => (await looks()).chemicalLooks,
    see: ['m10725', 'm10724'],
  },
)
const chemical = detail(drugInfo, {
  sections: {
    'section.drug': ['DrugCode', 'DrugType', 'ProjectId', 'Unit', 'Concentration', 'Density', 'Price', 'Supplier', 'RegionId', 'Remark'],
    'section.drugSource': ['Source', 'ParaId', 'Multiplier', 'RunParaId', 'PumpRate', 'WaterParaId'],
    'section.drugTank': ['StockQty', 'MinStock', 'TankSize', 'TankParaId', 'LeadDays', 'ComponentId', 'PlaceId'],
    'section.dose': ['TargetDose', 'DoseLow', 'DoseHigh', 'FlowParaId', 'TurbidityParaId', 'ResidualParaId'],
  },
  tabs: { 'drug.tab.deliveries': deliveries },
  looks: async () => (await looks()).pageLooks,
})

export const screens: Screens = {
  [path]: orDetail(chemicals, chemical),
  '/drugManagement/deliveries': deliveries,
}
