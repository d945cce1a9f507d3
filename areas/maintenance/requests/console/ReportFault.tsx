import { type FormEvent, useEffect, useState } from 'react'
import { Navigate, useLocation, useNavigate } from 'react-router'
import { shrinkPhoto } from '../../../../console/offline/photos.ts'
import { type Fault, invoke } from '../../../../console/session/request.ts'
import { token } from '../../../../console/session/token.ts'
import { Waiting } from '../../../../console/shell/Waiting.tsx'
import { Shape } from '../../../../console/theme/State.tsx'
import { useWords } from '../../../../console/words/words.ts'
import type { Answer } from '../../../../contract/call.ts'
import { PublicPage } from '../../../people/session/console/PublicPage.tsx'
import { mostPhotos, requestCalls } from '../contract.ts'
import './report.css'

type Machine = Answer<typeof requestCalls.machine>
type Photo = { url: string; text: string }

const base64 = async (blob: Blob) => {
  const bytes = new Uint8Array(await blob.arrayBuffer())
  let text = ''
  for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192))
  return btoa(text)
}

const Said = ({ fault }: { fault: string }) =>
  fault ? (
    <p className="login-fault" role="alert">
      <Shape is="alarm" /> {fault}
    </p>
  ) : null

type Given = { Label: string; Desc: string; Photos: string[] }
const sendReport = (given: Given, contact: string | undefined) =>
  contact === undefined
    ? invoke(requestCalls.reportByLabel, { body: given })
    : invoke(requestCalls.report, { body: { ...given, ...(contact.trim() && { Contact: contact.trim() }) } })

/** Report form of a machine's label. A signed-in user reports under his own name. */
const Form = ({ label, of: { MachineName, CompanyName }, signedIn }: { label: string; of: Machine; signedIn: boolean }) => {
  const t = useWords()
  const navigate = useNavigate()
  const [photos, setPhotos] = useState<Photo[]>([])
  const [fault, setFault] = useState('')
  const [isBusy, setBusy] = useState(false)
  const add = async (files: FileList | null) => {
    setFault('')
    for (const file of [...(files ?? [])].slice(0, mostPhotos - photos.length))
      try {
        const blob = await shrinkPhoto(file)
        const photo = { url: URL.createObjectURL(blob), text: await base64(blob) }
        setPhotos((before) => [...before, photo].slice(0, mostPhotos))
      } catch {
        setFault(t('request.noPhoto'))
      }
  }
  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const given = new FormData(event.currentTarget)
    const body = { Label: label, Desc: String(given.get('desc')), Photos: photos.map(({ text }) => text) }
    setBusy(true)
    setFault('')
    await sendReport(body, signedIn ? undefined : String(given.get('contact'))).then(
      ({ Token }) => navigate(`/report#state.${Token}`, { replace: true, state: { sent: true } }),
      (error: Fault) => setFault([error.message, ...Object.values(error.details.Fields ?? {}).flat()].join(' ')),
    )
    setBusy(false)
  }
  return (
    <PublicPage title={t('request.title')}>
      <form className="login-form report-form" onSubmit={(event) => void send(event)}>
        <p>
          <strong>{MachineName}</strong>
          <br />
          <span className="soft">{CompanyName}</span>
        </p>
        <label className="field">
          {t('request.desc')}
          <textarea name="desc" required maxLength={500} rows={4} />
        </label>
        {!signedIn && (
          <label className="field">
            {t('request.contact')}
            <input name="contact" maxLength={100} autoComplete="name" />
          </label>
        )}
        {photos.length > 0 && (
          <ul className="report-photos" aria-label={t('request.photos')}>
            {photos.map(({ url }, i) => (
              <li key={url}>
                <img src={url} alt="" />
                <button
                  type="button"
                  className="button"
                  aria-label={t('request.removePhoto', { number: i + 1 })}
                  onClick={() => setPhotos(photos.toSpliced(i, 1))}
                >
                  ×
                </button>
              </li>
            ))}
          </ul>
        )}
        {photos.length < mostPhotos && (
          <label className="button report-add">
            {t('request.addPhoto')}
            <input type="file" accept="image/*" multiple onChange={({ target }) => void add(target.files)} />
          </label>
        )}
        <Said fault={fault} />
        <button type="submit" className="button button-primary" disabled={isBusy}>
          {t('request.send')}
        </button>
      </form>
    </PublicPage>
  )
}

/** The state of a report, for holders of its link. */
const State = ({ of }: { of: string }) => {
  const t = useWords()
  const isNew = (useLocation().state as { sent?: boolean } | null)?.sent === true
  const [status, setStatus] = useState<number | 'over'>()
  useEffect(() => {
    invoke(requestCalls.state, { body: { Token: of } }).then(
      ({ Status }) => setStatus(Status),
      () => setStatus('over'),
    )
  }, [of])
  if (status === undefined) return <Waiting />
  return (
    <PublicPage title={t('request.stateTitle')}>
      {isNew && <p>{t('request.sent')}</p>}
      <p role="status">
        <strong>{t(status === 'over' ? 'request.stateOver' : `request.state.${status}`)}</strong>
      </p>
      {isNew && <p className="soft">{t('request.keep')}</p>}
    </PublicPage>
  )
}

type Found = Machine | 'page' | 'over'
const find = (label: string): Promise<Found> =>
  token()
    ? invoke(requestCalls.machineOfLabel, { body: { Label: label } }).then(
        (machine) => (machine.MayOpen ? 'page' : machine),
        () => 'page' as const,
      )
    : invoke(requestCalls.machine, { body: { Label: label } }).catch(() => 'over' as const)

const Label = ({ label }: { label: string }) => {
  const t = useWords()
  const [found, setFound] = useState<Found>()
  useEffect(() => void find(label).then(setFound), [label])
  if (!found) return <Waiting />
  if (found === 'page') return <Navigate replace to={`/maintenanceCenter/machine?Id=${encodeURIComponent(label.split('.')[0]!)}`} />
  if (found !== 'over') return <Form label={label} of={found} signedIn={token() !== null} />
  return (
    <PublicPage title={t('request.over')}>
      <p>{t('request.overText')}</p>
    </PublicPage>
  )
}

/**
 * Target of a machine's QR code: its page for those who may open it, otherwise a fault report. The token of machine or report is in the
 * fragment (`#`), which browsers never send.
 */
const ReportFault = () => {
  const place = useLocation().hash.slice(1)
  const [first, secret = ''] = place.split('.')
  return first === 'state' ? <State key={place} of={secret} /> : <Label key={place} label={place} />
}
export default ReportFault
