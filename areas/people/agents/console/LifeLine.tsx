import { Skeleton, Timeline } from 'antd'
import { useCall } from '../../../../console/kernel/api.ts'
import { Failure } from '../../../../console/kernel/Empty.tsx'
import { SidePanel } from '../../../../console/shell/SidePanel.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { agentCalls } from '../contract.ts'

/** History and positions of one serial number. */
export const LifeLine = ({ sn, close }: { sn: string; close: () => void }) => {
  const t = useWords()
  const { data, error } = useCall(agentCalls.detail, { body: { SN: sn }, of: ['snAgent', 'snAgentLog', 'gatewayPosition'] })
  const route = (from: string | null, to: string | null) => [from, to].filter(Boolean).join(' → ')
  return (
    <SidePanel width={520} title={sn} onClose={close}>
      {error && !data && <Failure fault={error} />}
      {!data && !error && <Skeleton active />}
      {data && (
        <>
          <h3>{t('agent.life')}</h3>
          <Timeline
            items={data.Lines.map((l) => ({
              color: l.OpType === 6 ? 'red' : 'blue',
              content: (
                <>
                  <strong>{t(`snAgentLog.OpType.${l.OpType}`)}</strong> {route(l.FromText, l.ToText)}
                  <br />
                  <span className="soft">
                    {l.Time} {l.UserName}
                  </span>
                </>
              ),
            }))}
          />
          <h3>{t('menu.m12001')}</h3>
          <Timeline
            items={data.Positions.map((p) => ({
              color: p.IsCross ? 'red' : 'green',
              content: (
                <>
                  {p.AreaName} <span className="soft">{t(`gatewayPosition.Source.${p.Source}`)}</span>
                  <br />
                  <span className="soft">{p.PositionTime}</span>
                </>
              ),
            }))}
          />
        </>
      )}
    </SidePanel>
  )
}
