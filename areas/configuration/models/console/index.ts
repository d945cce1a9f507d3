import { list } from '../../../../console/kernel/plainScreens.ts'
import { invoke } from '../../../../console/session/request.ts'
import type { Screens } from '../../../../console/shell/screens.ts'
import { modelCalls, proModel } from '../contract.ts'

export const screens: Screens = {
  '/projectManagement/pointTempManagement': list(proModel, ['ModelName', 'ModelNo', 'Brand', 'Remark'], {
    actions: {
      'model.devices': { icon: 'list', to: ({ Id }) => `/projectManagement/deviceManagement?ModelId=${Id}` },
      'model.copy': { icon: 'copy', needs: 'm10110.add', run: ({ Id }) => invoke(modelCalls.copy, { body: { Ids: [Id] } }) },
    },
  }),
}
