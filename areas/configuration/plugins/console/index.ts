import { list } from '../../../../console/kernel/plainScreens.ts'
import type { Screens } from '../../../../console/shell/screens.ts'
import { protocolPlugin } from '../contract.ts'

const { permission } = protocolPlugin

export const screens: Screens = {
  '/protocolManagement/protocolPlugin': list(protocolPlugin, ['PluginName', 'Kind', 'Status', 'Remark'], {
    filters: ['Kind', 'Status'],
    // Built-in plugins cannot be deleted, so rows have their own actions.
    readOnly: true,
    cards: true,
    buttons: { 'protocolPlugin.import': { icon: 'use', needs: `${permission}.add`, dialog: () => import('./ImportDialog.tsx') } },
    actions: {
      'button.edit': { needs: `${permission}.edit`, dialog: () => import('./EditDialog.tsx') },
      'button.remove': {
        needs: `${permission}.remove`,
        danger: true,
        when: ({ Kind }) => Kind > 2,
        dialog: () => import('./RemoveDialog.tsx'),
      },
    },
    looks: async () => (await import('./looks.tsx')).looks,
  }),
}
