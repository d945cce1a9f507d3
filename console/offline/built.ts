const kinds: Readonly<Record<string, string>> = { html: 'html', js: 'javascript', css: 'css', json: 'json' }

/** Whether a response is a build file: successful, with the content type of its extension. */
export const isBuilt = (path: string, { ok, headers }: Pick<Response, 'ok' | 'headers'>): boolean => {
  const type = headers.get('content-type') ?? ''
  const kind = kinds[path.slice(path.lastIndexOf('.') + 1)]
  return ok && (kind ? type.includes(kind) : !type.includes('html'))
}
