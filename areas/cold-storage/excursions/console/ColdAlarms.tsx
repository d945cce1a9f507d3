import { Segmented } from 'antd'
import { useMay } from '../../../../console/session/session.ts'
import { lazyScreen } from '../../../../console/shell/lazyScreen.tsx'
import { useAddress } from '../../../../console/shell/useAddress.ts'
import { useWords } from '../../../../console/words/words.ts'
import { alarmsOfType } from '../../../alarms/alarms/console/index.ts'
import { alarmInfo } from '../../../alarms/alarms/contract.ts'
import { coldStoreType } from '../contract.ts'
import { excursions } from './index.ts'
import './excursions.css'

const [Excursions, Alarms] = [lazyScreen(excursions), lazyScreen(alarmsOfType('menu.m10214', coldStoreType))]

/** What is wrong now, as alarms; and when rooms were outside their band, as excursions that somebody decides about. */
const ColdAlarms = () => {
  const t = useWords()
  const [params, put] = useAddress()
  const mayAlarms = useMay(alarmInfo.permission)
  const of = mayAlarms && params.get('of') === 'alarms' ? 'alarms' : 'excursions'
  return (
    <>
      {mayAlarms && (
        <div className="cold-views">
          <Segmented
            value={of}
            aria-label={t('cold.views')}
            options={(['excursions', 'alarms'] as const).map((value) => ({ value, label: t(`cold.view.${value}`) }))}
            onChange={(next) => put({ of: next === 'alarms' ? next : null })}
          />
        </div>
      )}
      {of === 'alarms' ? <Alarms /> : <Excursions />}
    </>
  )
}
export default ColdAlarms
