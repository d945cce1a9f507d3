import { list } from '../../../../console/kernel/plainScreens.ts'
import { invoke, saveFile } from '../../../../console/session/request.ts'
import type { Screens } from '../../../../console/shell/screens.ts'
import { modelCalls, proModel } from '../contract.ts'

const pointsOf = ({ Id }: { Id: number }) => `/projectManagement/modelPointList?ModelId=${Id}`
/** Downloads a model as a file for another installation. */
const takeFile = async ({ Id, ModelName }: { Id: number; ModelName: string }) => {
  const file = await invoke(modelCalls.file, { query: { Id } })
  saveFile(new Blob([JSON.stringify(file, null, 2)], { type: 'application/json' }), `${ModelName}.json`)
}
const share = (IsShared: 0 | 1) => (row: { Id: number }) => invoke(modelCalls.share, { body: { Id: row.Id, IsShared } })
const points = () => import('./ModelPointScreen.tsx')

export const screens: Screens = {
  '/projectManagement/pointTempManagement': list(
    proModel,
    ['ModelName', 'FolderId', 'Version', 'Edits', 'Protocol', 'ModelNo', 'Brand', 'Remark'],
    {
      filters: ['FolderId'],
      link: pointsOf,
      see: ['m10112'],
      ofCompany: true,
      looks: () => import('./modelLooks.tsx'),
      buttons: {
        'model.library': { icon: 'below', needs: 'm10110', dialog: () => import('./LibraryDialog.tsx') },
        'model.import': { icon: 'open', needs: 'm10110.add', dialog: () => import('./ImportDialog.tsx') },
      },
      actions: {
        'model.points': { icon: 'list', needs: 'm10111', to: pointsOf },
        'model.publish': {
          icon: 'push',
          needs: 'm10110.publish',
          when: (row) => row.Edits > 0,
          dialog: () => import('./PublishDialog.tsx'),
        },
        'model.apply': {
          icon: 'use',
          needs: 'm10110.apply',
          when: (row) => row.Version > 0,
          dialog: () => import('./ApplyDialog.tsx'),
        },
        'model.devices': { icon: 'below', to: ({ Id }) => `/projectManagement/deviceManagement?ModelId=${Id}` },
        // Only the platform fills the library, with its own published models.
        'model.share': {
          needs: 'm10110.publish',
          when: (row) => row.EnterpriseId === 1 && row.Version > 0 && !row.IsShared,
          run: share(1),
        },
        'model.unshare': { needs: 'm10110.publish', when: (row) => row.EnterpriseId === 1 && row.IsShared === 1, run: share(0) },
        'model.file': { needs: 'm10111', run: takeFile },
        'model.copy': { icon: 'copy', needs: 'm10110.add', run: ({ Id }) => invoke(modelCalls.copy, { body: { Ids: [Id] } }) },
      },
    },
  ),
  '/projectManagement/modelPointList': points,
  '/projectManagement/pointTempMemuPointList': points,
}
