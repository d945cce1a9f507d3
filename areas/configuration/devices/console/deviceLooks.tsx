import { AlertOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { Link } from 'react-router'
import type { DetailLooks } from '../../../../console/kernel/plainScreens.ts'
import { useMay } from '../../../../console/session/session.ts'
import { none, numberText, shortText } from '../../../../console/words/formats.ts'
import { Ago } from '../../../../console/words/moments.tsx'
import { language, useWords } from '../../../../console/words/words.ts'
import type { Row } from '../../../../contract/resource.ts'
import { isGone } from '../../../../contract/telemetry.ts'
import { LiveTable } from '../../../analysis/telemetry/console/LiveTable.tsx'
import { PointTable } from '../../points/console/PointTable.tsx'
import { PushBar } from '../../points/console/PushBar.tsx'
import type { device } from '../contract.ts'

type Looks = Required<DetailLooks<typeof device>>
type Of = { row: { Id: number } }

export const Points = ({ row }: Of) => <PointTable deviceId={row.Id} />
export const Notice = ({ row }: { row: { GatewayId: number } }) => <PushBar gatewayId={row.GatewayId} />
export const Live = ({ row }: Of) => <LiveTable deviceIds={[row.Id]} own />

export const Actions = ({ row }: Of) => {
  const t = useWords()
  const mayAlarms = useMay('m10201')
  return (
    mayAlarms && (
      <Link to={`/alarmManagement/alarmInfo?DeviceId=${row.Id}`}>
        <Button icon={<AlertOutlined />}>{t('menu.m10201')}</Button>
      </Link>
    )
  )
}

/** Counts of an offline device are outdated, so none are shown. */
const successRate = ({ OkCount, ErrCount, Status }: Row<typeof device>) => {
  if (isGone(Status)) return none
  const tries = (OkCount ?? 0) + (ErrCount ?? 0)
  return tries ? `${numberText((100 * (OkCount ?? 0)) / tries, 1, language())} %` : none
}

export const head: Looks['head'] = (row, t) => ({
  belongs: (
    <>
      <Link to={`/projectManagement/gatewayPreView?Id=${row.GatewayId}&tab=devices`}>{String(row.GatewayName ?? '')}</Link> ·{' '}
      {row.ModelName ? `${row.ModelName} · ` : ''}
      {String(row.NetProtocolName ?? row.SerialProtocolName ?? '')} · {t('device.SlaveNumber')} {row.SlaveNumber}
    </>
  ),
  figures: [
    { label: t('device.LastDataTime'), value: row.LastDataTime ? <Ago time={row.LastDataTime} /> : none },
    { label: t('device.successRate'), value: successRate(row) },
    { label: t('device.ErrCount'), value: row.ErrCount === null ? none : shortText(row.ErrCount, language()) },
  ],
})
