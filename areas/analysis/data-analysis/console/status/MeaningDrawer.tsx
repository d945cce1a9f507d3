import { Button, Drawer } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import type { Range } from '../../../../../console/chart/ranges.ts'
import { useCall } from '../../../../../console/kernel/api.ts'
import { Failure } from '../../../../../console/kernel/Empty.tsx'
import { useMay } from '../../../../../console/session/session.ts'
import { Waiting } from '../../../../../console/shell/Waiting.tsx'
import { usePhone } from '../../../../../console/theme/useWidth.ts'
import { useWords } from '../../../../../console/words/words.ts'
import { analysisCalls, type PointStatus } from '../../../telemetry/contract.ts'
import { readingText } from '../figures.tsx'
import { MeterEvents } from './MeterEvents.tsx'
import { TypeDialog } from './TypeDialog.tsx'
import './status.css'

/** What the values of one point are, and the events of its counter in a period. */
export const MeaningDrawer = ({ row, range, close }: { row: PointStatus; range: Range; close: () => void }) => {
  const t = useWords()
  const phone = usePhone()
  const mayEdit = useMay('m10104.edit')
  const [isTyping, type] = useState(false)
  const { data, error, refetch } = useCall(analysisCalls.meaning, {
    query: { ParaId: row.ParaId, Start: range.start, End: range.end },
    of: ['point'],
  })
  return (
    <Drawer
      open
      onClose={close}
      placement={phone ? 'bottom' : 'right'}
      size={phone ? '92%' : 520}
      title={`${row.DeviceName} · ${row.ParaName}`}
    >
      {error && !data ? (
        <Failure fault={error} retry={() => refetch()} />
      ) : !data ? (
        <Waiting />
      ) : (
        <>
          <dl className="meaning-facts">
            <dt>{t('point.CalDataType')}</dt>
            <dd>{t(`point.CalDataType.${data.CalDataType}`)}</dd>
            {data.CalDataType === 1 &&
              (['MaxReading', 'HourlyHigh', 'Tolerance'] as const).map((name) => [
                <dt key={`${name} title`}>{t(`meaning.${name}`)}</dt>,
                <dd key={name} className="figures">
                  {readingText(data[name])}
                </dd>,
              ])}
          </dl>
          <div className="search-bar">
            {mayEdit && <Button onClick={() => type(true)}>{t('meaning.change')}</Button>}
            <Link to={`/dataAnalysis/realTimeData?points=${row.ParaId}`}>
              <Button>{t('device.trend')}</Button>
            </Link>
          </div>
          {data.CalDataType === 1 && (
            <>
              <h3>{t('meter.title')}</h3>
              <MeterEvents data={data} paraId={row.ParaId} />
              <p className="faint">{t('meter.help')}</p>
            </>
          )}
        </>
      )}
      {isTyping && data && <TypeDialog ids={[row.ParaId]} begin={data} close={() => type(false)} />}
    </Drawer>
  )
}
