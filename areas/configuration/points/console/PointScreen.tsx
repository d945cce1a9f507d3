import { useSearchParams } from 'react-router'
import { useRow } from '../../../../console/kernel/api.ts'
import { EmptyList } from '../../../../console/kernel/Empty.tsx'
import { RefInput } from '../../../../console/kernel/RefInput.tsx'
import { Page } from '../../../../console/shell/Page.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { device } from '../../devices/contract.ts'
import { PointTable } from './PointTable.tsx'
import { PushBar } from './PushBar.tsx'

/** The point table of one device, chosen on top. */
const PointScreen = () => {
  const t = useWords()
  const [params, setParams] = useSearchParams()
  const id = Number(params.get('DeviceId')) || null
  const { data: chosen } = useRow(device, id ?? undefined)
  return (
    <Page
      title={t('menu.m10104')}
      actions={
        <RefInput
          to={device}
          value={id}
          onChange={(next) => setParams(next ? { DeviceId: String(next) } : {}, { replace: true })}
          placeholder={t('choose.device')}
          aria-label={t('choose.device')}
          allowClear={false}
          style={{ width: 280 }}
        />
      }
    >
      {id && chosen && <PushBar gatewayId={chosen.GatewayId} />}
      {id ? <PointTable key={id} deviceId={id} /> : <EmptyList text={t('choose.deviceText')} />}
    </Page>
  )
}
export default PointScreen
