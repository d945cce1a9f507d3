import { useRows } from '../../../../console/kernel/api.ts'
import { ReuseFilter } from '../../../../console/kernel/list/ReuseFilter.tsx'
import { RefInput } from '../../../../console/kernel/RefInput.tsx'
import { Page } from '../../../../console/shell/Page.tsx'
import { useAddress } from '../../../../console/shell/useAddress.ts'
import { useWords } from '../../../../console/words/words.ts'
import { device } from '../../../configuration/devices/contract.ts'
import { gateway } from '../../../configuration/gateways/contract.ts'
import { project } from '../../../configuration/projects/contract.ts'
import { LiveTable } from './LiveTable.tsx'

/** Live values of a project, a gateway or a device. */
const RealTimeScreen = () => {
  const t = useWords()
  const [params, put] = useAddress()
  const get = (name: string) => Number(params.get(name)) || null
  const [projectId, gatewayId, deviceId] = [get('ProjectId'), get('GatewayId'), get('DeviceId')]
  const devices = useRows(
    device,
    { PageIndex: 1, PageSize: 1000, GatewayId: gatewayId ?? undefined },
    { enabled: gatewayId !== null && !deviceId },
  )
  // What is chosen above changes what can be chosen below.
  const choose = (name: string, value: number | null, below: string[]) =>
    put({ ...Object.fromEntries(['page', ...below].map((gone) => [gone, null])), [name]: value || null })
  const deviceIds = deviceId ? [deviceId] : gatewayId ? devices.data?.Items.map((row) => row.Id) : undefined
  const waiting = gatewayId !== null && !deviceId && !devices.data
  return (
    <Page title={t('menu.m10108')}>
      <div className="search-bar">
        <span className="search-filter">
          <RefInput
            to={project}
            value={projectId}
            onChange={(v) => choose('ProjectId', v, ['GatewayId', 'DeviceId'])}
            placeholder={t('project')}
            aria-label={t('project')}
          />
          <ReuseFilter to={project} value={projectId ?? undefined} onChange={(v) => choose('ProjectId', v, ['GatewayId', 'DeviceId'])} />
        </span>
        <span className="search-filter">
          <RefInput
            to={gateway}
            value={gatewayId}
            where={{ ProjectId: projectId ?? undefined }}
            onChange={(v) => choose('GatewayId', v, ['DeviceId'])}
            placeholder={t('gateway')}
            aria-label={t('gateway')}
          />
        </span>
        <span className="search-filter">
          <RefInput
            to={device}
            value={deviceId}
            where={{ GatewayId: gatewayId ?? undefined }}
            onChange={(v) => choose('DeviceId', v, [])}
            placeholder={t('device')}
            aria-label={t('device')}
          />
        </span>
      </div>
      {!waiting && <LiveTable key={`${projectId}/${gatewayId}/${deviceId}`} deviceIds={deviceIds} projectId={projectId ?? undefined} />}
    </Page>
  )
}
export default RealTimeScreen
