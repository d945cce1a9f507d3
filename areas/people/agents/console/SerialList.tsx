import { CheckOutlined, RollbackOutlined, SwapOutlined } from '@ant-design/icons'
import { Button, Form } from 'antd'
import { type ReactNode, useState } from 'react'
import { type Shown, useCommand } from '../../../../console/kernel/api.ts'
import { FormDialog } from '../../../../console/kernel/form/FormDialog.tsx'
import { RefInput } from '../../../../console/kernel/RefInput.tsx'
import { ResourceList } from '../../../../console/kernel/ResourceList.tsx'
import { useMay } from '../../../../console/session/session.ts'
import { useConfirm } from '../../../../console/shell/useConfirm.ts'
import { type Condition, State } from '../../../../console/theme/State.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { agent, agentCalls, snAgent } from '../contract.ts'
import { LifeLine } from './LifeLine.tsx'

type Shipped = Shown<typeof snAgent>
const changed = ['snAgent', 'snAgentLog']
const conditions: Condition[] = ['normal', 'warning', 'alarm', 'normal']

const Transfer = ({ row, close }: { row: Shipped; close: () => void }) => {
  const t = useWords()
  const move = useCommand(agentCalls.change, changed, { meta: { quiet: true } })
  return (
    <FormDialog<{ AgentId: number }>
      title={t('agent.transferOf', { title: row.SN })}
      start={{ AgentId: row.AgentId }}
      sending={move}
      submit={({ AgentId }) => move.mutate({ body: { SN: row.SN, AgentId } }, { onSuccess: close })}
      close={close}
    >
      <Form.Item name="AgentId" label={t('agent')}>
        <RefInput to={agent as never} allowClear={false} />
      </Form.Item>
    </FormDialog>
  )
}

/** Shipped gateways with their actions. */
export const SerialList = ({ extra, prefix }: { extra?: ReactNode; prefix?: string }) => {
  const t = useWords()
  const confirm = useConfirm()
  const [mayEdit, mayRemove] = [useMay('m12004.edit'), useMay('m12004.remove')]
  const [shown, setShown] = useState<string>()
  const [moving, setMoving] = useState<Shipped>()
  const change = useCommand(agentCalls.change, changed)
  const takeBack = useCommand(agentCalls.takeBack, changed)
  const ask = (row: Shipped) =>
    confirm({
      title: t('agent.takeBackTitle', { title: row.SN }),
      content: t('agent.takeBackText'),
      okText: t('agent.takeBack'),
      run: () => takeBack.mutateAsync({ body: { SN: row.SN, ...(row.AgentId ? { AgentId: row.AgentId } : {}) } }),
    })
  return (
    <>
      <ResourceList
        of={snAgent}
        {...(prefix ? { prefix } : {})}
        columns={['SN', 'AgentId', 'CrossStatus', 'AreaCode', 'PositionTime', 'OutNo', 'OutTime']}
        cells={{
          SN: (row) => (
            <Button type="link" size="small" className="mono" onClick={() => setShown(row.SN)}>
              {row.SN}
            </Button>
          ),
          CrossStatus: (row) => <State is={conditions[row.CrossStatus]!}>{t(`snAgent.CrossStatus.${row.CrossStatus}`)}</State>,
        }}
        filters={['AgentId', 'CrossStatus']}
        extra={extra}
        readOnly
        actions={(row) => [
          ...(mayEdit && (row.CrossStatus === 1 || row.CrossStatus === 2)
            ? [
                {
                  key: 'release',
                  label: t('agent.release'),
                  icon: <CheckOutlined />,
                  run: () => change.mutate({ body: { SN: row.SN, Release: 1 } }),
                },
              ]
            : []),
          ...(mayEdit ? [{ key: 'move', label: t('agent.transfer'), icon: <SwapOutlined />, run: () => setMoving(row) }] : []),
          ...(mayRemove
            ? [{ key: 'back', label: t('agent.takeBack'), icon: <RollbackOutlined />, danger: true, run: () => ask(row) }]
            : []),
        ]}
      />
      {shown && <LifeLine sn={shown} close={() => setShown(undefined)} />}
      {moving && <Transfer row={moving} close={() => setMoving(undefined)} />}
    </>
  )
}
