import './chain.css'
import { Link } from 'react-router'
import { Moment } from '../../../../console/words/moments.tsx'
import { useWords } from '../../../../console/words/words.ts'
import type { Answer } from '../../../../contract/call.ts'
import type { orderCalls } from '../../orders/contract.ts'

/** The last repairs of a machine, as links. */
export const LastRepairs = ({ of, path }: { of: Answer<typeof orderCalls.history>['Last']; path: string }) => {
  const t = useWords()
  return (
    <section className="panel">
      <h2>{t('order.last')}</h2>
      {of.length === 0 && <p className="soft">{t('order.noLast')}</p>}
      <ul className="order-links">
        {of.map((order) => (
          <li key={order.Id}>
            <Link to={`${path}?Id=${order.Id}`}>{order.Title}</Link>{' '}
            <span className="soft">
              {t(`mtnMaintenanceOrder.Status.${order.Status}`)} · <Moment time={order.ReportTime} />
            </span>
            {order.Solution && <div>{order.Solution}</div>}
          </li>
        ))}
      </ul>
    </section>
  )
}
