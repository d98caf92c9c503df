// Guesses flags from the column names of other programs, in English, German, French, Spanish, Italian and Dutch. A guess goes into messages
// and mapping files only.

import { plainName } from '../../session/names/matching.ts';

const headers: Readonly<Record<string, string>> = {
  title:
    'deal, deal name, deal - title, opportunity, opportunity name, subject, betreff, titel, thema, vorhaben, titre, objet, titulo, asunto, titolo, oggetto, onderwerp, lead name, topic',
  'first-name': 'first name, given name, vorname, prenom, nombre, nome, voornaam, invitee first name',
  'last-name':
    'last name, surname, family name, nachname, familienname, nom, nom de famille, apellido, apellidos, cognome, achternaam, invitee last name',
  'full-name':
    'full name, name, contact name, contact person, contact, person - name, ansprechpartner, kontaktperson, kontakt, nom complet, nombre completo, nome completo, volledige naam, contactpersoon, your name, invitee name, primary contact name',
  email:
    'e-mail, mail, email address, e-mail address, primary email, email 1, e-mail 1 - value, person - email, person - email - work, e-mail-adresse, mailadresse, courriel, adresse e-mail, correo, correo electronico, posta elettronica, indirizzo email, e-mailadres, e-mail 1, emails, work e-mail, invitee email, primary contact primary email, e-mail (geschaftlich)',
  phone:
    'phone number, phone 1, phone 1 - value, person - phone, person - phone - work, primary phone, business phone, work phone, telephone, tel, tel., mobile, mobile phone number, telefon, telefonnummer, rufnummer, handy, mobil, numero de telephone, telefono, numero di telefono, telefoon, telefoonnummer, office phone, work direct phone, mobile phone, primary contact primary phone, text reminder number, telefon 1, telefon geschaftlich, telefon (geschaftlich), mobiltelefon',
  'company-name':
    'company, company name, account name, organization name, organization - name, person - organization, organization, organisation, associated company, firma, unternehmen, firmenname, societe, entreprise, empresa, compania, azienda, societa, ditta, bedrijf, bedrijfsnaam, company / account, account, accounts, default address company',
  client:
    'organization name, organization - name, company, company name, account name, associated company, customer, kunde, firma, unternehmen, client, societe, entreprise, cliente, empresa, azienda, klant, bedrijf',
  'job-position':
    'title, job title, organization title, organization 1 - title, position, role, funktion, stelle, fonction, poste, cargo, puesto, ruolo, posizione, functie',
  website: 'website url, web site, homepage, webseite, internetseite, site web, sitio web, pagina web, sito, sito web, website 1 - value',
  value:
    'amount, deal amount, deal value, deal - value, expected revenue, estimated value, wert, betrag, auftragswert, auftragsvolumen, summe, montant, valeur, importe, valor, importo, valore, bedrag, waarde, est. value',
  status:
    'lead status, stage name, deal stage, deal - stage, stage, pipeline stage, phase, stufe, statut, etape, estado, etapa, stato, fase, status label',
  category: 'type, kategorie, typ, categorie, categoria, tipo',
  source: 'lead source, original source, quelle, herkunft, origine, provenance, origen, fuente, fonte, bron, herkomst',
  'last-contacted':
    'last contact, last contact date, last activity date, deal - last activity date, letzter kontakt, kontakt am, zuletzt kontaktiert, dernier contact, ultimo contacto, ultimo contatto, laatste contact',
  description:
    'notes, note, comment, comments, bemerkung, bemerkungen, notiz, notizen, beschreibung, kommentar, remarque, remarques, commentaire, descripcion, nota, notas, comentario, descrizione, commento, opmerking, opmerkingen, omschrijving',
  street:
    'street address, address, strasse, adresse, anschrift, rue, calle, direccion, via, indirizzo, straat, adres, address street, primary address street, mailing street, default address address1, address 1 - street, strasse 1, strasse geschaftlich',
  city: 'town, ort, stadt, ville, ciudad, citta, stad, plaats, woonplaats, address city, primary address city, mailing city, default address city, address 1 - city, ort 1, ort geschaftlich, ort (geschaftlich)',
  state:
    'region, province, state/region, bundesland, kanton, provincia, regione, provincie, state/province, address state, primary address state, mailing state, region geschaftlich',
  zip: 'zip code, postal code, postcode, plz, postleitzahl, code postal, codigo postal, cap, zipcode, zip/postal code, address postcode, primary address postal code, mailing zip, default address zip, address 1 - postal code, plz 1, plz (geschaftlich), postleitzahl geschaftlich',
  country:
    'country/region, land, pays, pais, paese, address country, primary address country, mailing country, address 1 - country, land 1, land (geschaftlich), land/region geschaftlich',
  assigned:
    'owner, salesperson, deal - owner, deal owner, lead owner, record owner, contact owner, assigned to, assigned user, assignee, sales rep, zustandig, zustaendig, zugewiesen, zugewiesen an, besitzer, betreuer, bearbeiter, verantwortlich, verantwortlicher, ansprechpartner intern, proprietaire, responsable, attribue a, assigne a, propietario, asignado, asignado a, encargado, proprietario, responsabile, assegnato, assegnato a, eigenaar, verantwoordelijke, toegewezen, toegewezen aan, owned by, company owner, sales owner, person - owner, responsible',
  tags: 'tag, labels, label, deal - label, keywords, schlagwort, schlagworte, schlagworter, stichworte, stichworter, etiquette, etiquettes, mots-cles, etiqueta, etiquetas, etichetta, etichette, trefwoord, trefwoorden, tag list',
  active_state: 'active state, archived',
  rate: 'price, unit price, preis, einzelpreis, stueckpreis, prix, prix unitaire, precio, prezzo, prijs',
  unit: 'einheit, unite, unidad, unita, eenheid',
};

/** A name without case, accents and separators between words. */
const bareHeader = (name: string): string => plainName(name.replaceAll('\u00df', 'ss')).replaceAll(/[^\p{L}\p{N}]/gu, '');

/** The common headers of a flag. */
export const commonHeaders = (flag: string): string[] => headers[flag]?.split(', ') ?? [];

/** Guessed flags by column name. Gives each of `flags` at most once, but none of `taken`. Drops full-name beside a first or last name. */
export function guessedFlags(names: readonly string[], flags: readonly string[], taken: ReadonlySet<string>): Map<string, string> {
  const guessed = new Map<string, string>();
  const free = new Set(flags.filter((flag) => !taken.has(flag)));
  for (const name of names) {
    const flag = [...free].find((one) => commonHeaders(one).some((header) => bareHeader(header) === bareHeader(name)));
    if (flag === undefined) continue;
    guessed.set(name, flag);
    free.delete(flag);
  }
  const known = new Set([...taken, ...guessed.values()]);
  if (known.has('first-name') || known.has('last-name')) for (const [name, flag] of guessed) if (flag === 'full-name') guessed.delete(name);
  return guessed;
}
