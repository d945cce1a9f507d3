import { list } from '../../../../console/kernel/plainScreens.ts'
import type { Screens } from '../../../../console/shell/screens.ts'
import { electricityPriceStandard, energyTariff, seesPrices } from '../contract.ts'

const circuits = list(energyTariff, ['EnergyInfoId', 'ValidFrom', 'PriceStandardId'], { looks: () => import('./changeLooks.tsx') })

export const screens: Screens = {
  '/powerManagement/electricityPrice': list(
    electricityPriceStandard,
    ['StandardName', 'EnergyType', 'TariffType', 'ValidFrom', 'ValidTo', 'BasePrice', 'Seasons', 'VersionOfId'],
    {
      filters: ['EnergyType', 'TariffType'],
      wraps: ['Seasons'],
      looks: () => import('./tariffLooks.tsx'),
      actions: {
        'tariff.newVersion': { icon: 'copy', needs: seesPrices, dialog: () => import('./NewVersion.tsx') },
        'tariff.circuits': { icon: 'list', panel: circuits, prefix: 'c.' },
      },
    },
  ),
}
