import './labels.css'
import { DownloadOutlined, PrinterOutlined } from '@ant-design/icons'
import { Alert, Button, Modal, QRCode } from 'antd'
import { saveCsv } from '../../../../console/session/request.ts'
import { useWords } from '../../../../console/words/words.ts'

export type Label = { SN: string; Code: string }

/** Above this number, labels are exported as a file for a label printer. */
const most = 60
/** Link to the form that binds the gateway. The code is in the fragment, which is not sent to servers or logged. */
const linkOf = ({ SN, Code }: Label) =>
  `${location.origin}/projectManagement/gatewayManagement?bind#${new URLSearchParams({ sn: SN, code: Code })}`

const save = (labels: readonly Label[]) =>
  saveCsv([['SN', 'Code', 'Link'], ...labels.map((label) => [label.SN, label.Code, linkOf(label)])], 'codes.csv')

/** New codes, shown once, as labels for the gateways. */
export const Labels = ({ of: labels, close }: { of: readonly Label[]; close: () => void }) => {
  const t = useWords()
  return (
    <Modal
      open
      width={720}
      title={t('serial.labels')}
      onCancel={close}
      mask={{ closable: false }}
      footer={
        <>
          <Button icon={<DownloadOutlined />} onClick={() => save(labels)}>
            {t('serial.download')}
          </Button>
          {labels.length <= most && (
            <Button icon={<PrinterOutlined />} onClick={() => print()}>
              {t('serial.print')}
            </Button>
          )}
          <Button type="primary" onClick={close}>
            {t('serial.kept')}
          </Button>
        </>
      }
    >
      <div className="stack">
        <Alert type="warning" showIcon title={t('serial.once')} />
        <ul className="labels">
          {labels.slice(0, most).map((label) => (
            <li key={label.SN}>
              <span aria-hidden>
                <QRCode value={linkOf(label)} type="svg" size={120} bordered={false} color="#000000" bgColor="#ffffff" />
              </span>
              <span className="mono">{label.SN}</span>
              <strong className="mono">{label.Code}</strong>
            </li>
          ))}
        </ul>
        {labels.length > most && <p className="soft">{t('serial.more', { count: labels.length - most })}</p>}
      </div>
    </Modal>
  )
}
