import { list } from '../../../../console/kernel/plainScreens.ts'
import { configVersion } from '../contract.ts'

/** Configurations that a gateway has accepted, newest first. */
export const versions = list(configVersion, ['Version', 'PushTime', 'UserId', 'Devices', 'Points', 'Label', 'Note'], {
  actions: {
    'version.compare': { icon: 'compare', dialog: () => import('./CompareDialog.tsx') },
    'version.reset': { icon: 'history', needs: 'm10102.resetConfig', danger: true, dialog: () => import('./ResetDialog.tsx') },
  },
})
