import './labels.css'
import { PrinterOutlined } from '@ant-design/icons'
import { Button, Modal, QRCode } from 'antd'
import type { ReactNode } from 'react'
import { useWords } from '../words/words.ts'

/** `code`: content of the QR code, a URL of this console or the number of a card. */
export type Label = { key: number | string; code: string; name: string; more?: string | undefined }

/** Printable labels with QR code and name, 24 per sheet. */
export const LabelSheet = ({ of: labels, close, children }: { of: readonly Label[]; close: () => void; children?: ReactNode }) => {
  const t = useWords()
  return (
    <Modal
      open
      width={760}
      title={t('labels.title')}
      onCancel={close}
      footer={
        <Button type="primary" icon={<PrinterOutlined />} disabled={!labels.length} onClick={() => print()}>
          {t('labels.print')}
        </Button>
      }
    >
      <div className="label-note">
        <p className="soft">{t('labels.sheet')}</p>
        {children}
      </div>
      <ul className="label-sheet">
        {labels.map(({ key, code, name, more }) => (
          <li key={key}>
            <span aria-hidden>
              <QRCode value={code} type="svg" size={96} bordered={false} color="#000000" bgColor="#ffffff" />
            </span>
            <span>
              <strong>{name}</strong>
              {more && <small>{more}</small>}
            </span>
          </li>
        ))}
      </ul>
    </Modal>
  )
}
