import { Empty, Skeleton, Timeline } from 'antd'
import { useCall } from '../../../../console/kernel/api.ts'
import { Failure } from '../../../../console/kernel/Empty.tsx'
import { SidePanel } from '../../../../console/shell/SidePanel.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { serialCalls } from '../contract.ts'

/** History of a serial number. */
export const Life = ({ of: { Id, SN }, close }: { of: { Id: number; SN: string }; close: () => void }) => {
  const t = useWords()
  const { data, error } = useCall(serialCalls.life, { query: { Id }, of: ['gatewaySn', 'snAgentLog'] })
  return (
    <SidePanel width={520} title={SN} onClose={close}>
      {error && !data && <Failure fault={error} />}
      {!data && !error && <Skeleton active />}
      {data?.length === 0 && <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={t('serial.noLife')} />}
      {data && (
        <Timeline
          items={data.map((line) => ({
            color: line.OpType === 6 ? 'red' : 'blue',
            content: (
              <>
                <strong>{t(`snAgentLog.OpType.${line.OpType}`)}</strong> {[line.FromText, line.ToText].filter(Boolean).join(' → ')}
                <br />
                <span className="soft">
                  {line.Time} {line.UserName}
                </span>
              </>
            ),
          }))}
        />
      )}
    </SidePanel>
  )
}
