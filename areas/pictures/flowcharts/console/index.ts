import { list } from '../../../../console/kernel/plainScreens.ts'
import { invoke } from '../../../../console/session/request.ts'
import type { Screens } from '../../../../console/shell/screens.ts'
import { flowchart, flowchartCalls } from '../contract.ts'

const editorOf = ({ Id }: { Id: number }) => `/projectManagement/configEditor?Id=${Id}`
const versionsOf = ({ Id }: { Id: number }) => `/projectManagement/configHistory?Id=${Id}`
const previewOf = ({ Id }: { Id: number }) => `/projectDetailsManagement/preview?id=${Id}`
const pictureOf = ({ Id }: { Id: number }) => `/projectDetailsManagement/flowChart/${Id}`

export const screens: Screens = {
  '/projectManagement/pictures': () => import('./PicturesScreen.tsx'),
  '/projectManagement/configManagement': list(
    flowchart,
    [
      'FlowchartName',
      'ProjectId',
      'Purpose',
      'State',
      'Version',
      'HasChanges',
      'PlatformType',
      'ModelId',
      'DeviceId',
      'VersionMode',
      'Sort',
      'Remark',
    ],
    {
      filters: ['ProjectId', 'State'],
      see: ['m10131'],
      buttons: {
        'pictures.fromFile': { icon: 'use', needs: 'm10130.add', dialog: () => import('./FileDialog.tsx') },
        'pictures.removed': { icon: 'history', needs: 'm10130.remove', dialog: () => import('./RemovedDialog.tsx') },
      },
      link: editorOf,
      states: { State: { 0: 'offline', 1: 'normal', 2: 'offline' }, HasChanges: { 0: 'normal', 1: 'notice' } },
      actions: {
        'pictures.open': { icon: 'open', when: (row) => row.State === 1, to: pictureOf },
        'pictures.preview': { icon: 'open', when: (row) => row.HasChanges === 1, to: previewOf },
        'pictures.publish': {
          icon: 'push',
          needs: 'm10130.publish',
          when: (row) => row.HasChanges === 1,
          dialog: () => import('./PublishDialog.tsx'),
        },
        'pictures.withdraw': {
          needs: 'm10130.publish',
          when: (row) => row.State === 1,
          run: ({ Id }) => invoke(flowchartCalls.cancelPublish, { body: { Id } }),
        },
        'pictures.versions': { needs: 'm10132', to: versionsOf },
        'pictures.toFile': { run: ({ Id }) => import('./out/pictureFile.ts').then(({ savePicture }) => savePicture(Id)) },
        'pictures.copy': { needs: 'm10130.add', run: ({ Id }) => invoke(flowchartCalls.copy, { body: { Id } }) },
      },
    },
  ),
  '/projectManagement/configHistory': () => import('./VersionsScreen.tsx'),
}

export const fixedScreens: Screens = {
  '/projectManagement/configEditor': () => import('./EditorScreen.tsx'),
  '/projectDetailsManagement': () => import('./ProjectDetails.tsx'),
  '/projectDetailsManagement/preview': () => import('./PreviewScreen.tsx'),
  '/projectDetailsManagement/realTimeCharts': () => import('./RealTimeCharts.tsx'),
  '/projectDetailsManagement/ofDevice': () => import('./OfDevice.tsx'),
  '/projectDetailsManagement/flowChart/:id': () => import('./PictureScreen.tsx'),
}
