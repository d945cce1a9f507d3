import { CloudUploadOutlined, FolderOpenOutlined, KeyOutlined } from '@ant-design/icons'
import { useState } from 'react'
import { ResourceList } from '../../../../console/kernel/ResourceList.tsx'
import { useMay } from '../../../../console/session/session.ts'
import { Page } from '../../../../console/shell/Page.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { gateway } from '../contract.ts'
import { Enrolment } from './Enrolment.tsx'
import { PushDialog } from './PushDialog.tsx'
import { ConfigState, type Gateway, OnlineState } from './states.tsx'

const GatewayList = () => {
  const t = useWords()
  const [pushing, setPushing] = useState<Gateway>()
  const [enrolling, setEnrolling] = useState<{ Id: number; fresh: boolean }>()
  const [mayPush, mayReset] = [useMay('m10102.push'), useMay('m10102.resetKey')]
  return (
    <Page title={t('menu.m10102')}>
      <ResourceList
        of={gateway}
        columns={['GatewayName', 'OnlineStatus', 'ConfigStatus', 'SN', 'ProjectId', 'LastHeartbeatTime']}
        cells={{ OnlineStatus: (row) => <OnlineState of={row} />, ConfigStatus: (row) => <ConfigState of={row} /> }}
        filters={['ProjectId']}
        link={(row) => `/projectManagement/gatewayPreView?Id=${row.Id}`}
        form={{ onSaved: (row) => mayReset && setEnrolling({ Id: row.Id, fresh: true }) }}
        actions={(row) => [
          { key: 'open', label: t('open'), icon: <FolderOpenOutlined />, to: `/projectManagement/gatewayPreView?Id=${row.Id}` },
          ...(mayPush ? [{ key: 'push', label: t('button.push'), icon: <CloudUploadOutlined />, run: () => setPushing(row) }] : []),
          ...(mayReset
            ? [
                {
                  key: 'key',
                  label: t('button.resetKey'),
                  icon: <KeyOutlined />,
                  run: () => setEnrolling({ Id: row.Id, fresh: false }),
                  danger: true,
                },
              ]
            : []),
        ]}
      />
      {pushing && <PushDialog gateway={pushing} close={() => setPushing(undefined)} />}
      {enrolling && <Enrolment {...enrolling} close={() => setEnrolling(undefined)} />}
    </Page>
  )
}
export default GatewayList
