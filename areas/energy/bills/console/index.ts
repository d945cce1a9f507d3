import { list } from '../../../../console/kernel/plainScreens.ts'
import type { Screens } from '../../../../console/shell/screens.ts'
import { energyBill } from '../contract.ts'

export const screens: Screens = {
  '/energyManagement/bills': list(energyBill, ['BillNo', 'EnergyInfoId', 'SupplierName', 'StartDate', 'EndDate', 'TotalAmount', 'Files'], {
    filters: ['EnergyInfoId', 'SupplierName'],
    looks: () => import('./billLooks.tsx'),
    actions: { 'bill.check': { icon: 'compare', dialog: () => import('./BillCheck.tsx') } },
  }),
}
