import { EmptyList } from '../../../../console/kernel/Empty.tsx'
import { useMay } from '../../../../console/session/session.ts'
import { useWords } from '../../../../console/words/words.ts'
import { Trend } from './Trend.tsx'

/** The trend on the page of a device. Points of others can be added. */
const DeviceTrend = ({ row }: { row: { Id: number } }) => {
  const t = useWords()
  const may = useMay('m10301')
  if (!may) return <EmptyList text={t('error.forbidden')} />
  return (
    <Trend
      deviceId={row.Id}
      around={(actions, chart) => (
        <section aria-label={t('device.trend')}>
          {chart}
          <div className="form-foot">{actions}</div>
        </section>
      )}
    />
  )
}
export default DeviceTrend
