import { Alert, Button, Modal, Spin, Table } from 'antd'
import { useEffect } from 'react'
import { useCommand } from '../../../../console/kernel/api.ts'
import { Failure } from '../../../../console/kernel/Empty.tsx'
import { language, useWords } from '../../../../console/words/words.ts'
import { logCalls } from '../contract.ts'

/** Verifies the hash chain, and shows problems. */
const Verification = ({ tenant, close }: { tenant: number | undefined; close: () => void }) => {
  const t = useWords()
  const { mutate, data, error, isPending } = useCommand(logCalls.verify, [], { meta: { quiet: true } })
  useEffect(() => mutate({ body: tenant ? { EnterpriseId: tenant } : {} }), [mutate, tenant])
  const count = (n: number) => n.toLocaleString(language())
  return (
    <Modal
      open
      title={t('log.verify')}
      onCancel={close}
      footer={
        <Button type="primary" onClick={close}>
          {t('close')}
        </Button>
      }
    >
      {isPending && (
        <p role="status">
          <Spin size="small" /> {t('log.verifying')}
        </p>
      )}
      {error && <Failure fault={error} />}
      {data && (
        <div className="stack" role="status">
          <Alert type={data.Sound ? 'success' : 'error'} showIcon title={t(data.Sound ? 'log.sound' : 'log.unsound')} />
          <p>
            {t('log.checked', {
              count: count(data.Entries),
              from: count(data.From),
              to: count(data.To),
              checkpoints: count(data.Checkpoints),
            })}
          </p>
          {data.Problems.length > 0 && (
            <Table
              rowKey={(p) => `${p.Kind} ${p.Seq}`}
              size="small"
              dataSource={data.Problems}
              pagination={data.Problems.length > 10 ? { pageSize: 10 } : false}
              columns={[
                { title: t('log.Seq'), dataIndex: 'Seq', align: 'right' },
                { title: t('log.problem'), dataIndex: 'Kind', render: (kind: string) => t(`log.problem.${kind}`) },
              ]}
            />
          )}
        </div>
      )}
    </Modal>
  )
}
export default Verification
