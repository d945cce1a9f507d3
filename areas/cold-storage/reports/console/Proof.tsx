import { Alert, Button, Form, Input, Upload } from 'antd'
import { useState } from 'react'
import { useWrite } from '../../../../console/kernel/api.ts'
import { queryString, request } from '../../../../console/session/request.ts'
import { Page } from '../../../../console/shell/Page.tsx'
import { useAddress } from '../../../../console/shell/useAddress.ts'
import { useWords } from '../../../../console/words/words.ts'
import type { Answer } from '../../../../contract/call.ts'
import { coldReportCalls, mostPdfBytes, withdrawn } from '../contract.ts'
import './reports.css'

type Verdict = Answer<typeof coldReportCalls.verify>
const kinds = { 1: 'success', 2: 'error', 3: 'warning' } as const

const Verdict = ({ of }: { of: Verdict }) => {
  const t = useWords()
  const { Verdict, State, ApproveTime, WithdrawReason, ReportNo, Sha256 } = of
  const isWithdrawn = State === withdrawn
  const kind = Verdict === 1 && isWithdrawn ? 'warning' : kinds[Verdict as 1]
  return (
    <div role="status">
      <Alert
        showIcon
        type={kind}
        title={t(`cold.proof.${Verdict}`, { no: ReportNo })}
        description={
          <>
            {ApproveTime !== null && <p>{`${t('coldReport.ApproveTime')}: ${ApproveTime}`}</p>}
            {isWithdrawn && <p>{`${t('coldReport.State.3')}: ${WithdrawReason}`}</p>}
            <p className="cold-hash figures">{`SHA-256 ${Sha256}`}</p>
          </>
        }
      />
    </div>
  )
}

/** Verifies that a PDF matches the one issued under its report number. */
const Proof = () => {
  const t = useWords()
  const [params, put] = useAddress()
  const [file, choose] = useState<File>()
  const number = params.get('ReportNo') ?? ''
  const verifying = useWrite<File, Verdict>(
    [],
    (file) => {
      const body = new FormData()
      body.append('file', file)
      return request('POST', `${coldReportCalls.verify.path}${queryString({ ReportNo: number.trim() })}`, body)
    },
    { meta: { quiet: true } },
  )
  const isTooLarge = file !== undefined && file.size > mostPdfBytes
  return (
    <Page title={t('menu.m10735')}>
      <div className="stack cold-proof">
        <p className="soft">{t('cold.proof.about')}</p>
        <Form layout="vertical" requiredMark={false} onFinish={() => file && verifying.mutate(file)}>
          <Form.Item label={t('coldReport.ReportNo')} htmlFor="cold-proof-no">
            <Input id="cold-proof-no" value={number} maxLength={30} onChange={({ target }) => put({ ReportNo: target.value })} />
          </Form.Item>
          <Form.Item>
            <Upload
              accept=".pdf"
              maxCount={1}
              fileList={file ? [{ uid: '1', name: file.name }] : []}
              beforeUpload={(given) => {
                choose(given)
                verifying.reset()
                return false
              }}
              onRemove={() => choose(undefined)}
            >
              <Button>{t('cold.proof.choose')}</Button>
            </Upload>
          </Form.Item>
          <Button type="primary" htmlType="submit" disabled={!number.trim() || !file || isTooLarge} loading={verifying.isPending}>
            {t('cold.proof.verify')}
          </Button>
        </Form>
        {(isTooLarge || verifying.error) && (
          <Alert type="error" showIcon title={isTooLarge ? t('cold.proof.tooLarge') : verifying.error!.message} />
        )}
        {verifying.data && <Verdict of={verifying.data} />}
      </div>
    </Page>
  )
}
export default Proof
