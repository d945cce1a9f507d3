import { Button, Skeleton, Table, TreeSelect } from 'antd'
import { useState } from 'react'
import { useCall, useCommand } from '../../../../console/kernel/api.ts'
import type { TreeNode } from '../../../../console/kernel/tree/tree.ts'
import { SidePanel } from '../../../../console/shell/SidePanel.tsx'
import { Shape } from '../../../../console/theme/State.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { circuitCalls, mostProposed } from '../contract.ts'

type Choice = { value: number; title: string; children: Choice[] }
const choices = (nodes: readonly TreeNode[]): Choice[] =>
  nodes.map(({ key, title, children }) => ({ value: key, title, children: choices(children) }))
const quiet = { meta: { quiet: true } }

/** Points that count energy, as the circuits that they would be; the ticked ones are added. */
export const Proposal = ({ project, nodes, close }: { project: number; nodes: readonly TreeNode[]; close: () => void }) => {
  const t = useWords()
  const { data } = useCall(circuitCalls.proposal, { query: { ProjectId: project }, of: ['energyInfo', 'energySource', 'point'] })
  const [ticked, tick] = useState<readonly number[]>()
  const [above, setAbove] = useState<number>()
  const add = useCommand(circuitCalls.propose, ['energyInfo', 'energySource'], quiet)
  const chosen = ticked ?? data?.Items.map(({ ParaId }) => ParaId) ?? []
  const submit = () => add.mutate({ body: { ProjectId: project, ParentId: above ?? null, ParaIds: [...chosen] } }, { onSuccess: close })
  return (
    <SidePanel
      width={680}
      title={t('circuit.propose')}
      onClose={close}
      footer={
        <div className="form-foot">
          <Button onClick={close}>{t('cancel')}</Button>
          <Button type="primary" disabled={!chosen.length} loading={add.isPending} onClick={submit}>
            {t('circuit.addProposed', { count: chosen.length })}
          </Button>
        </div>
      }
    >
      {!data ? (
        <Skeleton active />
      ) : !data.Items.length ? (
        <p>{t('circuit.nothingProposed')}</p>
      ) : (
        <div className="stack">
          <p className="soft">{t('circuit.proposalHelp')}</p>
          {data.More && <p className="soft">{t('circuit.moreProposed', { most: mostProposed })}</p>}
          <TreeSelect
            allowClear
            treeDefaultExpandAll
            value={above}
            treeData={choices(nodes)}
            placeholder={t('energyInfo.ParentId')}
            aria-label={t('energyInfo.ParentId')}
            onChange={(next?: number) => setAbove(next)}
            style={{ width: '100%' }}
          />
          <Table
            size="small"
            rowKey="ParaId"
            pagination={false}
            dataSource={data.Items}
            rowSelection={{ selectedRowKeys: [...chosen], onChange: (keys) => tick(keys.map(Number)) }}
            columns={[
              { key: 'name', title: t('energyInfo.EnergyName'), render: (_, row) => <span className="wrap">{row.EnergyName}</span> },
              { key: 'type', title: t('energyInfo.EnergyType'), render: (_, row) => t(`energyInfo.EnergyType.${row.EnergyType}`) },
              {
                key: 'unit',
                title: t('energyInfo.Unit'),
                render: (_, row) => (row.Multiplier === 1 ? row.Unit : `${row.Unit} (× ${row.Multiplier})`),
              },
            ]}
          />
          {add.error && (
            <p role="alert">
              <Shape is="alarm" /> {Object.values(add.error.details.Fields ?? {}).flat()[0] ?? add.error.message}
            </p>
          )}
        </div>
      )}
    </SidePanel>
  )
}
