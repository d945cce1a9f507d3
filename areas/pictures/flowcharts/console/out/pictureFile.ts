import { invoke, saveFile } from '../../../../../console/session/request.ts'
import { type PictureFile, pictureFileCalls } from '../../picture-file.ts'

/** Saves the draft of a picture as a file. */
export const savePicture = async (Id: number) => {
  const file = await invoke(pictureFileCalls.toFile, { query: { Id } })
  saveFile(new Blob([JSON.stringify(file)], { type: 'application/json' }), `${file.FlowchartName}.json`)
}

/** Parses a file; undefined if it is not a picture. The server validates the drawing. */
export const readPicture = (text: string): PictureFile | undefined => {
  try {
    const file = JSON.parse(text) as PictureFile | null
    return file?.Format === 'penstock-picture' && file.Version === 1 && typeof file.Scene === 'object' ? file : undefined
  } catch {
    return undefined
  }
}
